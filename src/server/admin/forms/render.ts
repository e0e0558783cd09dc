import { html } from 'hono/html';
import { FORM_KEY } from '#server/admin/change.ts';
import type { Content, Html } from '#server/admin/views/html.ts';
import type { Services } from '#server/services/services.ts';
import type { Field, Fields, Mistakes, Option, Typed } from './field.ts';

export interface FormView {
  readonly fields: Fields;
  readonly action: string;
  readonly submit: string;
  readonly typed?: Typed | undefined;
  readonly mistakes?: Mistakes | undefined;
  /** Values of hidden fields, such as the form version (`form-version.ts`). */
  readonly hidden?: Readonly<Record<string, string | number>>;
  /** More buttons or links beside the submit button. */
  readonly more?: Content;
}

const idOf = (name: string): string => `field-${name}`;

/** Hidden fields, with a new idempotency key (`change.ts`). */
export const hiddenInputs = (services: Pick<Services, 'ids'>, hidden: FormView['hidden'] = {}): Html[] =>
  Object.entries({ ...hidden, [FORM_KEY]: services.ids.token() }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );

interface ControlView {
  readonly name: string;
  readonly field: Field;
  readonly value: Typed[string] | undefined;
  readonly attributes: Html;
}

const textIn = (value: ControlView['value']): string => (typeof value === 'string' ? value : '');

function options(list: readonly Option[], value: ControlView['value']): Html[] {
  return list.map(
    (option) =>
      html`<option value="${option.value}"${value === option.value ? html` selected` : ''}>${option.label}</option>`,
  );
}

function choices({ name, value }: ControlView, list: readonly Option[]): Html[] {
  return list.map((option, index) => {
    const id = index === 0 ? idOf(name) : `${idOf(name)}-${index}`;
    const checked = value === option.value ? html` checked` : '';
    return html`<div class="choice"><input type="radio" id="${id}" name="${name}" value="${option.value}"${checked}>
<label for="${id}">${option.label}</label></div>`;
  });
}

function suggestionList(name: string, values: readonly string[]): Html {
  return html`<datalist id="${idOf(name)}-list">${values.map((value) => html`<option value="${value}"></option>`)}</datalist>`;
}

function renderControl(view: ControlView): Content {
  const { name, field, value, attributes } = view;
  switch (field.control) {
    case 'textarea':
    case 'lines':
      // Browsers drop a line break after the tag, so without this one a text would lose its own.
      return html`<textarea ${attributes} rows="${field.rows ?? 5}">${'\n'}${textIn(value)}</textarea>`;
    case 'select':
      return html`<select ${attributes}>${options(field.options, value)}</select>`;
    case 'radios':
      return choices(view, field.options);
    case 'checkbox':
      return html`<input type="checkbox" ${attributes}${value === true ? html` checked` : ''}>`;
    case 'file':
    case 'files':
      return html`<input type="file" ${attributes} accept="${field.accept}"${field.control === 'files' ? html` multiple` : ''}>`;
    default: {
      // A text field, because browsers drop invalid input of number fields.
      const isNumber = field.control === 'number';
      const inputmode = field.inputmode ?? (isNumber ? 'decimal' : undefined);
      const typed = field.control === 'password' ? '' : textIn(value);
      const { suggestions } = field;
      return html`<input type="${isNumber ? 'text' : field.control}" ${attributes} value="${typed}"${
        field.autocomplete ? html` autocomplete="${field.autocomplete}"` : ''
      }${inputmode ? html` inputmode="${inputmode}"` : ''}${
        suggestions ? html` list="${idOf(name)}-list">${suggestionList(name, suggestions)}` : html`>`
      }`;
    }
  }
}

/** A password is never sent back. */
export function renderField(name: string, field: Field, typed: Typed = {}, mistakes?: Mistakes): Html {
  const id = idOf(name);
  const mistake = mistakes?.get(name);
  const label = `${field.label}${field.isOptional ? ' (optional)' : ''}`;
  const about = [field.hint ? `${id}-hint` : '', mistake ? `${id}-error` : ''].filter(Boolean).join(' ');
  const described = about ? html` aria-describedby="${about}"` : '';
  const invalid = mistake ? html` aria-invalid="true"` : '';
  const notes = html`${field.hint ? html`<p class="hint" id="${id}-hint">${field.hint}</p>` : ''}${
    mistake ? html`<p class="error" id="${id}-error">${mistake}</p>` : ''
  }`;
  const focused = field.isFocused ? html` autofocus` : '';
  const attributes = html`id="${id}" name="${name}"${described}${invalid}${focused}`;
  const control = renderControl({ name, field, value: typed[name], attributes });
  if (field.control === 'radios') {
    return html`<fieldset class="field"${described}><legend>${label}</legend>${notes}${control}</fieldset>`;
  }
  if (field.control === 'checkbox') {
    return html`<div class="field"><div class="choice">${control}<label for="${id}">${label}</label></div>${notes}</div>`;
  }
  return html`<div class="field"><label for="${id}">${label}</label>${notes}${control}</div>`;
}

/** The error summary, with a link to each field. It has the focus, so that screen readers read it first. */
export function mistakeSummary(mistakes: Mistakes | undefined): Content {
  if (!mistakes || mistakes.size === 0) return '';
  const lines = [...mistakes].map(([name, text]) =>
    name === '' ? html`<li>${text}</li>` : html`<li><a href="#${idOf(name)}">${text}</a></li>`,
  );
  return html`<div class="summary" role="alert" tabindex="-1" autofocus aria-labelledby="mistakes">
<h2 id="mistakes">There is a problem</h2><ul>${lines}</ul></div>`;
}

/** `novalidate`, because the server finds the errors, in the same words for every browser. */
export function renderForm(services: Pick<Services, 'ids'>, view: FormView): Html {
  const { fields, action, submit, typed, mistakes, hidden, more = '' } = view;
  const hasFiles = Object.values(fields).some(({ control: kind }) => kind === 'file' || kind === 'files');
  return html`${mistakeSummary(mistakes)}
<form class="stack" method="post" action="${action}" novalidate${hasFiles ? html` enctype="multipart/form-data"` : ''}>
${hiddenInputs(services, hidden)}
${Object.entries(fields).map(([name, field]) => renderField(name, field, typed, mistakes))}
<div class="row"><button>${submit}</button>${more}</div>
</form>`;
}
