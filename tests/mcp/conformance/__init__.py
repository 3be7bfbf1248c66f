"""What the conformance cases of the Model Context Protocol need of heed; tests/mcp/test_conformance.py runs them."""
