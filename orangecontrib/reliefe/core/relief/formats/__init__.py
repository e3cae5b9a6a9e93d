"""Storage formats of the data, dense, sparse and packed: distances, sums over pairs, means over lists."""
