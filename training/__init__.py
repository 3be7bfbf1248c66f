"""What heed's own brain is taught with (corpus/), and how (brain/). Nothing of this is needed to run heed."""
