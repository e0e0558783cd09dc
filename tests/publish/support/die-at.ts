/** Loaded into a build before it starts. Kills the build just before it writes the file that DIE_AT names. */
import { promises } from 'node:fs';

const { writeFile } = promises;
const { DIE_AT } = process.env;
if (!DIE_AT) throw new Error('DIE_AT must name a file.');
promises.writeFile = async (...args) => {
  if (String(args[0]).endsWith(DIE_AT)) process.kill(process.pid, 'SIGKILL');
  return writeFile(...args);
};
