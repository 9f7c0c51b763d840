"""`python -m ol` is the command line."""

from ol.cli import main

if __name__ == "__main__":
    main()
