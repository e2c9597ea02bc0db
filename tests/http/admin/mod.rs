mod login;
