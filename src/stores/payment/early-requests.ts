import { ADDRESSES } from '#api/addresses.ts';
import { sendEarly } from '#api/early-requests.ts';
import { hasToken } from '#api/token-cookie.ts';
import { OWN } from '#domain/json.ts';
import { ORDER_TO_PAY, PENDING_PAYMENT } from './pending-payment.ts';

/* Runs in the head of the payment page: fetches the order and, unless a payment is pending, the form (payment.ts). */

const isStored = (key: string): boolean => {
  try {
    return (sessionStorage.getItem(OWN + key) ?? localStorage.getItem(OWN + key)) !== null;
  } catch {
    return false;
  }
};

const hasOrder = /[?&;#]orderId=[^&;#]/.test(location.search + location.hash) || isStored(ORDER_TO_PAY);
if (hasToken() && hasOrder)
  sendEarly(isStored(PENDING_PAYMENT) ? [ADDRESSES.orders] : [ADDRESSES.orders, ADDRESSES.paymentFields]);
