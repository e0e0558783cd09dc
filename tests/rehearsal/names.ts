/** Lets Node find *.localhost at this computer, as browsers do: node --import names.ts */
import dns from 'node:dns';

const { lookup } = dns;
const local = ((name: string, ...others: [never]) =>
  lookup(name.endsWith('.localhost') ? '127.0.0.1' : name, ...others)) as typeof lookup;
dns.lookup = local;
