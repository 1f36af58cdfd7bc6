"""One file per kind of finding; :mod:`mainstem.doctor.thinking` lists them."""
