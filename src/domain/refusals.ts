/* Errors of the API about accounts. */

export const WRONG_CREDENTIALS = 'Invalid email or password.';

export const NOT_YOUR_PASSWORD = 'This is not your password.';

export const CONFIRM_WITH_PASSWORD = 'Please type the password of the account, or sign in to it first.';

export const PASSWORD_CHANGED_AGAIN = 'The password was changed again meanwhile. Please sign in.';

export const SAME_EMAIL = 'Your account has this email already.';

export const EMAIL_TAKEN = 'This email cannot be used.';

export const LINK_USED_UP = 'This link no longer works. Please ask for a new one.';

/* Errors of the API about orders. Pages show them too when they know the outcome without a request. */

export const TOO_LATE_TO_CANCEL = 'This order has already left. It can no longer be cancelled.';

export const NOT_ARRIVED = 'Only an order that has arrived can be returned.';

export const RETURN_DAYS_OVER = 'The days in which this order could be returned are over.';

export const RETURN_PENDING = 'You have asked for a return of this order already. We answer that one first.';

export const TOO_LATE_TO_WITHDRAW = 'This return can no longer be withdrawn.';

export const TOO_MUCH_TO_RETURN = 'That is more than was bought, or than is left to return.';
