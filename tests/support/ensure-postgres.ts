import { findPostgres } from './find-postgres.ts';
import { installPackages } from './install-packages.ts';

// Without the second line the package would start a server. The tests start their own, in a temporary folder.
const INSTALL = [
  'apt-get update && apt-get install -y postgresql-common || exit',
  "sed -ri 's/^#? *create_main_cluster *=.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf",
  'apt-get install -y postgresql',
].join('\n');

if (!findPostgres()) {
  process.stdout.write("No PostgreSQL here: installing Debian's (apt-get install postgresql) ...\n");
  const output = installPackages(INSTALL);
  if (!findPostgres()) {
    if (output !== undefined) process.stderr.write(`${output}\n`);
    process.stderr.write(
      'There is no PostgreSQL, so the API is tested on SQLite alone. Debian: apt-get install postgresql\n',
    );
    process.exitCode = process.env.CI === 'true' ? 1 : 0;
  }
}
