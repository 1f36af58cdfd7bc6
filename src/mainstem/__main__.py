"""``python -m mainstem`` is the command line."""

from mainstem.cli.main import main

if __name__ == "__main__":
    main()
