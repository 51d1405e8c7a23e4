"""`python -m dpverify` is the command line."""

from dpverify.cli.app import main

if __name__ == "__main__":
    main()
