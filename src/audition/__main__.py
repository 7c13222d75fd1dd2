"""`python -m audition`: the command line, where its script is not on the path."""

from audition.cli import main

if __name__ == "__main__":
    main()
