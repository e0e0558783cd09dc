/* What the API answers where it refuses what a shopper asks about an account. */

export const WRONG_CREDENTIALS = 'Invalid email or password.';

export const NOT_YOUR_PASSWORD = 'This is not your password.';

export const PASSWORD_CHANGED_AGAIN = 'The password was changed again meanwhile. Please sign in.';

export const SAME_EMAIL = 'Your account has this email already.';

export const EMAIL_TAKEN = 'This email cannot be used.';

export const LINK_USED_UP = 'This link no longer works. Please ask for a new one.';
