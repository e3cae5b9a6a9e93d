"""Parts of Feature Interactions: the network of features, the list of pairs, and the values of a pair."""
