/** The pages of the shop's site that letters lead to. Another site of this API has them at the same addresses. */
export const SITE_PATHS = {
  orders: '/orders',
  order: (id: string) => `/track-order?id=${id}`,
  payment: (orderId: string) => `/payment?orderId=${orderId}`,
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  accountChange: '/account-change',
  accountData: '/account-data',
} as const;
