"""The compiler: documentation in, a typed package of proved tools out."""
