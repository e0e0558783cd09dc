export type Replacement = readonly [from: string | RegExp, to: string];

/** What `*.localhost` stands for in a rehearsal. */
export const NAME = 'shop.localhost';

/**
 * What cannot be had in a rehearsal, in the commands of the page and in the files that they copy. All else is as it stands there.
 * Beside these, `tests/rehearsal/bin` replaces programs that need root.
 */
export function replacementsIn({
  REHEARSAL: home = '',
  REHEARSAL_PORTS = '',
  REHEARSAL_POSTGRES = '',
}: NodeJS.Dict<string>): readonly Replacement[] {
  const [https = '', http = '', api = '', watcher = '', admin = ''] = REHEARSAL_PORTS.split(' ');
  return [
    // Paths of the machine. A path that is replaced already has a letter before it.
    [
      /(?<![\w/.])\/(srv\/shop|etc\/(?:caddy|nginx|letsencrypt|systemd)|var\/lib|var\/log)(?=[/\s'"]|$)/gm,
      `${home}/$1`,
    ],
    [/\/run\/postgresql/g, REHEARSAL_POSTGRES],
    [/\/usr\/bin\/systemctl/g, 'systemctl'],
    // Names: browsers take *.localhost for this computer.
    [/myshop\.in/g, NAME],
    // Ports, which others may use on this computer.
    [/https:\/\/((?:api\.)?shop\.example)\b/g, `https://$1:${https}`],
    [/https:\/\/shop\.localhost\b(?!:)/g, `https://${NAME}:${https}`],
    [/\b8044\b/g, api],
    [/^#(?=WATCH_PORT=)/gm, ''],
    [/\b8055\b/g, watcher],
    [/listen (\[::\]:)?443/g, `listen $1${https}`],
    [/listen (\[::\]:)?80\b/g, `listen $1${http}`],
    // Certificates: Caddy is its own authority. It installs itself nowhere.
    [
      /^\{$/gm,
      `{\n\tadmin 127.0.0.1:${admin}\n\thttps_port ${https}\n\thttp_port ${http}\n\tlocal_certs\n\tskip_install_trust`,
    ],
  ];
}
