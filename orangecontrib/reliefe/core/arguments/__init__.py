"""Arguments of `rank`: the steps by which `Request.check` reads them.

Each step takes what it needs, and returns what it found, with notes for `info`.

1. `arguments`: all arguments in one record.
2. `rows`: features, weights and target values of the rows whose weight is above 0.
3. `known_target`: the target, and the rows in which it is known.
4. `problem`: the method that is asked for or chosen, and the table as it reads it.
5. `notes`: columns that seem to be something else than the caller thinks.
6. `studied`: covariates and groups.
7. `weighted`: weights of rows, unless there is a reason against them.
"""
