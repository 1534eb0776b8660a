"""Measurements that are run by hand; each prints ratios or figures with their input size."""
