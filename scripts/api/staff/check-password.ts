import type { OfficeContext } from '#scripts/api/office/page.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { withLimits } from '#scripts/api/shop/with-limits.ts';
import { findPersonByEmail } from './stored-staff.ts';

/**
 * Returns the id of the person with this email and password, or undefined. It takes the same time if nobody has the email
 * (faults 40, 101).
 * @throws Refusal 429
 */
export async function checkPassword(
  context: OfficeContext,
  shop: Shop,
  email: string,
  password: string,
): Promise<string | undefined> {
  const address = shop.clientAddress(context);
  return withLimits(
    [
      [shop.limiters.signInAddress, address],
      [shop.limiters.signIn, `office ${address} ${email}`],
    ],
    async () => {
      const person = await findPersonByEmail(shop.db, email);
      return (await shop.passwords.matches(person?.passwordHash ?? undefined, password))
        ? person?.id
        : undefined;
    },
    (outcome) => 'value' in outcome && outcome.value === undefined,
  );
}
