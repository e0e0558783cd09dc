import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What an owner says of the shop in store.json. */
export const OWNER = {
  storeName: 'Meera Mangoes',
  companyName: 'Meera Fruits LLP',
  companyAddress: '7 Station Road, Ratnagiri 415612, Maharashtra',
  companyEmail: 'care@meera-mangoes.in',
  companyPhone: '+91 98220 12345',
  description: 'Mangoes from our own orchards.',
  grievanceOfficer: {
    name: 'Ravi Patil',
    designation: 'Grievance Officer',
    hours: 'Monday to Friday 10:00-17:00',
  },
};

/** Does the step of the page that only a person can: a catalogue of their own in the folder, at the site's address. */
export function putOwnCatalogue(folder: string, site: string): void {
  rmSync(folder, { recursive: true });
  cpSync('tests/api/fixtures/catalogue', folder, { recursive: true });
  const file = join(folder, 'store.json');
  const store: unknown = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...Object(store), ...OWNER, siteUrl: site }));
}
