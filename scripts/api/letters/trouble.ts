import * as v from 'valibot';

/** Whose fault it is that a letter was not taken, which decides what happens next. */
export type Trouble =
  /** The mail server is down, busy, or refuses our sign-in: no letter gets through at the moment. */
  | 'server'
  /** This letter may be taken later. */
  | 'later'
  /** This letter is never taken. */
  | 'never';

export class LetterTrouble extends Error {
  readonly kind: Trouble;
  /** What the office shows. It may name the recipient, so it is not logged. */
  readonly words: string;
  /** A word or a status of the protocol, for the log. */
  readonly code: string;

  constructor(kind: Trouble, code: string, words: string) {
    super(code);
    this.kind = kind;
    this.code = code;
    this.words = words;
  }
}

const WORDS_MOST = 300;

/** nodemailer's errors: `code` says at which step, `command` after which command, `responseCode` what the server said. */
const SmtpErrorSchema = v.object({
  message: v.string(),
  code: v.optional(v.string(), ''),
  command: v.optional(v.string(), ''),
  response: v.optional(v.string(), ''),
  responseCode: v.optional(v.number()),
});

/** The steps at which a server may refuse one letter and take the next. */
const STEPS_OF_A_LETTER = ['RCPT TO', 'DATA'];

/** The server wants another sign-in (RFC 4954, 6). */
const SIGN_IN = [530, 534, 535, 538];

/** The server closes the connection (RFC 5321, 3.8). */
const CLOSING = 421;

/**
 * Enhanced codes (RFC 3463) of refusals that are not about this letter, but about the shop, the network or a quota: system,
 * network, protocol and policy. They may pass.
 */
const MAY_PASS = /^5\d\d[ -]5\.(?:3\.(?!4\b)|[457]\.)/;

/**
 * What nodemailer's error means. A status of 5xx is final, one of 4xx is not (RFC 5321, 4.2.1), unless an enhanced code
 * says more.
 */
export function troubleOf(error: unknown): LetterTrouble {
  const parsed = v.safeParse(SmtpErrorSchema, error);
  if (!parsed.success) return new LetterTrouble('server', 'unknown', String(error).slice(0, WORDS_MOST));
  const { message, code, command, response, responseCode } = parsed.output;
  const words = message.slice(0, WORDS_MOST);
  // nodemailer itself found no address that it could give to a server.
  if (code === 'EENVELOPE' && command === 'API') return new LetterTrouble('never', code, words);
  const isOfLetter =
    responseCode !== undefined &&
    responseCode !== CLOSING &&
    !SIGN_IN.includes(responseCode) &&
    STEPS_OF_A_LETTER.some((step) => command.startsWith(step));
  if (!isOfLetter) return new LetterTrouble('server', code || String(responseCode), words);
  const isFinal = responseCode >= 500 && !MAY_PASS.test(response);
  return new LetterTrouble(isFinal ? 'never' : 'later', String(responseCode), words);
}
