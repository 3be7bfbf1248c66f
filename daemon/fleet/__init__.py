"""Several robots that tell each other what they were taught; the transport needs the extra `fleet`."""
