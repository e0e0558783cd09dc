import { onEvents, stopAll } from './events.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** A form whose texts a store keeps, because it tidies, remembers or hides them. A check box has 'true' or 'false'. */
export interface StoredForm {
  readonly texts: () => ReadonlyMap<string, string>;
  readonly change: (name: string, text: string) => void;
  readonly listen: (changed: () => void) => () => void;
}

const isCheckBox = (control: Control): control is HTMLInputElement => control.type === 'checkbox';

const textOf = (control: Control): string => (isCheckBox(control) ? String(control.checked) : control.value);

const isTyped = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);

/** The position in the text after its first `typed` letters and digits. */
function caretAfter(text: string, typed: number): number {
  let position = 0;
  for (let left = typed; position < text.length && left > 0; position += 1) {
    if (isTyped(text[position] ?? '')) left -= 1;
  }
  return position;
}

/** Writes the text and keeps the caret in place. At the end of the text the browser moves it. */
function setText(control: Control, text: string): void {
  if (isCheckBox(control)) {
    control.checked = text === 'true';
    return;
  }
  const { value } = control;
  const caret = 'selectionStart' in control ? control.selectionStart : null;
  control.value = text;
  if (caret === null || caret === value.length || control !== document.activeElement) return;
  const position = caretAfter(text, [...value.slice(0, caret)].filter(isTyped).length);
  if ('selectionStart' in control) control.setSelectionRange(position, position);
}

/** Finds them in the document, because a field named `elements` hides the form's own list. */
const controlsOf = (form: HTMLFormElement): readonly Control[] =>
  [...document.querySelectorAll<Control>(':is(input, select, textarea)[name]')].filter(
    (control) => control.form === form,
  );

function show(control: Control, text: string | undefined): void {
  if (text !== undefined && text !== textOf(control)) setText(control, text);
}

/** Passes what is in the fields to the store, also what a program filled in without an event. */
export function readForm(form: HTMLFormElement, { texts, change }: StoredForm): void {
  for (const control of controlsOf(form)) {
    const { name } = control;
    const text = textOf(control);
    if (text !== (texts().get(name) ?? text)) change(name, text);
    show(control, texts().get(name));
  }
}

/** Keeps the form and its store equal. Only what has changed in the store is written. Returns a function that stops it. */
export function followForm(form: HTMLFormElement, store: StoredForm): () => void {
  let before: ReadonlyMap<string, string> = new Map();
  const write = (): void => {
    const texts = store.texts();
    for (const control of controlsOf(form)) {
      const text = texts.get(control.name);
      if (text !== before.get(control.name)) show(control, text);
    }
    before = texts;
  };
  write();
  const read = (): void => readForm(form, store);
  for (const event of ['input', 'click']) form.addEventListener(event, read);
  /** While a button is pressed, what it shows must not move it: it would get no click. */
  const readUnpressed = (): void => {
    if (!form.matches(':active')) read();
  };
  for (const event of ['change', 'focusin', 'focusout']) form.addEventListener(event, readUnpressed);
  // Before the store hides what is personal. The form is removed with its listeners.
  return stopAll(store.listen(write), onEvents(['pagehide'], read, true));
}
