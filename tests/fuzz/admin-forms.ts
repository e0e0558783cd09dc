import { Parser } from 'htmlparser2';

/** A form of a page, as a browser would send it unchanged. */
export interface PageForm {
  readonly action: string;
  readonly isPost: boolean;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The names of its file inputs. */
  readonly files: readonly string[];
  /** The buttons that send a value. */
  readonly buttons: readonly (readonly [name: string, value: string])[];
  /** The path of a form that was found on no page. Its fields are all that other forms have. */
  readonly guessed?: string;
}

export interface PageParts {
  readonly forms: readonly PageForm[];
  readonly links: readonly string[];
  /** Markup that could run a script which is not the admin's own. */
  readonly dangers: readonly string[];
}

interface OpenForm {
  action: string;
  isPost: boolean;
  fields: [string, string][];
  files: string[];
  buttons: [string, string][];
}

const DANGEROUS = new Set(['iframe', 'object', 'embed', 'base', 'svg', 'math', 'style']);

/** Reads the forms and links of a page. jsdom would take most of a fuzzing run's time. */
export function readPage(html: string): PageParts {
  const forms: OpenForm[] = [];
  const links: string[] = [];
  const dangers: string[] = [];
  let form: OpenForm | undefined;
  let textarea: string | undefined;
  let select: { name: string; value: string | undefined } | undefined;
  let text = '';
  const parser = new Parser({
    onopentag(tag, attributes) {
      const { name = '', value = '', type = '' } = attributes;
      // The QR code of the second factor is our own image.
      const isPicture = tag === 'svg' && attributes.role === 'img';
      if (DANGEROUS.has(tag) && !isPicture) dangers.push(tag);
      if (tag === 'script' && !attributes.src?.startsWith('/admin/assets/')) dangers.push('script');
      for (const [attribute, given] of Object.entries(attributes)) {
        if (/^on/.test(attribute)) dangers.push(`${tag} ${attribute}`);
        if (
          /^(?:href|src|action|formaction)$/.test(attribute) &&
          /^\s*(?:javascript|vbscript|data:text)/i.test(given)
        )
          dangers.push(`${attribute} ${given}`);
      }
      if (tag === 'a' && attributes.href) links.push(attributes.href);
      if (tag === 'form') {
        form = {
          action: attributes.action ?? '',
          isPost: attributes.method === 'post',
          fields: [],
          files: [],
          buttons: [],
        };
        forms.push(form);
      }
      if (!form || name === '') return;
      if (tag === 'textarea') [textarea, text] = [name, ''];
      else if (tag === 'select') select = { name, value: undefined };
      else if (tag === 'button') form.buttons.push([name, value]);
      else if (tag === 'input' && type === 'file') form.files.push(name);
      else if (tag === 'input' && (!/^(?:checkbox|radio)$/.test(type) || 'checked' in attributes))
        form.fields.push([name, 'value' in attributes ? value : 'on']);
    },
    onattribute() {},
    ontext(part) {
      text += part;
    },
    onclosetag(tag) {
      if (tag === 'form') form = undefined;
      if (tag === 'textarea' && textarea !== undefined) {
        form?.fields.push([textarea, text.replace(/^\n/, '')]);
        textarea = undefined;
      }
      if (tag === 'select' && select) {
        form?.fields.push([select.name, select.value ?? '']);
        select = undefined;
      }
    },
  });
  parser.end(html);
  return { forms, links, dangers };
}
