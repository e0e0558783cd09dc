import { onEvents, stopAll } from './events.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** A form whose texts are in a store, which tidies, remembers or hides them. A checkbox has 'true' or 'false'. */
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

/** Copies the fields into the store, including those that a program filled in without an event. */
export function readForm(form: HTMLFormElement, { texts, change }: StoredForm): void {
  for (const control of controlsOf(form)) {
    const { name } = control;
    const text = textOf(control);
    if (text !== (texts().get(name) ?? text)) change(name, text);
    show(control, texts().get(name));
  }
}

/** Synchronises the form and its store. Writes only what has changed in the store. Returns a function that stops it. */
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
  /** Skipped while an input method composes: changing the field then doubles characters, as on Android. */
  const read = ({ isComposing }: Partial<InputEvent> = {}): void => {
    if (!isComposing) readForm(form, store);
  };
  for (const event of ['input', 'compositionend', 'click']) form.addEventListener(event, read);
  /** Does nothing while a button is pressed, because an error that moves it would prevent the click. */
  const readUnpressed = (): void => {
    if (!form.matches(':active')) read();
  };
  for (const event of ['change', 'focusin', 'focusout']) form.addEventListener(event, readUnpressed);
  // Read before the store hides personal data. The form is removed with its listeners.
  return stopAll(store.listen(write), onEvents(['pagehide'], read, true));
}
