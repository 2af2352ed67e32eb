"""What each command of the program does; imported only when it is used."""
