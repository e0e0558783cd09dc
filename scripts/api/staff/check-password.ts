import { checkPassword } from '#scripts/api/customers/check-password.ts';
import type { OfficeContext } from '#scripts/api/office/page.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { deviceOf } from './session.ts';
import { findPersonByEmail, type Person } from './stored-staff.ts';

/** Returns the person with this email and password, or undefined, by the rules of customers. @throws Refusal 429, 503 */
export async function checkStaffPassword(
  context: OfficeContext,
  shop: Shop,
  email: string,
  password: string,
): Promise<Person | undefined> {
  const credentials = {
    email,
    password,
    address: shop.clientAddress(context),
    device: deviceOf(context, shop),
  };
  return checkPassword(shop, 'staff', credentials, await findPersonByEmail(shop.db, email));
}
