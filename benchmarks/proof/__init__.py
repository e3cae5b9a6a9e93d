"""The proof: published numbers beside ours, mistakes of the literature as experiments, quality, times, memory."""
