"""A parameter that the server knows by another name."""

from __future__ import annotations

from dataclasses import dataclass

from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.repair.patches.required import NAME


@dataclass(frozen=True, slots=True)
class RenameParameter:
    """Send a parameter under another name; its Python argument stays."""

    before: str
    after: str

    @property
    def line(self) -> str:
        """Say what was wrong."""
        return f"the parameter is called {self.after!r}, not {self.before!r}"

    def apply(self, endpoint: Endpoint) -> Endpoint:
        """Give the endpoint with the other name, or as it is where that cannot be."""
        known = next((p for p in endpoint.parameters if p.name == self.before), None)
        taken = any(p.name == self.after for p in endpoint.parameters)
        if known is None or known.location == "path" or taken or not NAME.fullmatch(self.after):
            return endpoint
        renamed = known.model_copy(update={"name": self.after, "required": True})
        samples = tuple(
            {self.after if name == self.before else name: value for name, value in sample.items()}
            for sample in endpoint.samples
        )
        parameters = tuple(renamed if p is known else p for p in endpoint.parameters)
        return endpoint.model_copy(update={"parameters": parameters, "samples": samples})
