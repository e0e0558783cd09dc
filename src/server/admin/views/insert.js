/** Turns each `data-insert` into a button that inserts its text at the cursor of the field with that id. */
for (const word of document.querySelectorAll('[data-insert]')) {
  const field = document.getElementById(word.dataset.insert);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'btn btn-quiet btn-word';
  button.textContent = word.textContent;
  button.addEventListener('click', () => {
    field.setRangeText(button.textContent, field.selectionStart, field.selectionEnd, 'end');
    field.focus();
  });
  word.replaceWith(button);
}
for (const hint of document.querySelectorAll('[data-insert-hint]')) hint.hidden = false;
