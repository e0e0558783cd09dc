/** Each `data-insert` inserts its text at the cursor of the field with that id. Without this script, the text stands there alone. */
for (const button of document.querySelectorAll('[data-insert]')) {
  const field = document.getElementById(button.dataset.insert);
  button.addEventListener('click', () => {
    field.setRangeText(button.textContent, field.selectionStart, field.selectionEnd, 'end');
    field.focus();
  });
  button.previousElementSibling.hidden = true;
  button.hidden = false;
}
for (const hint of document.querySelectorAll('[data-insert-hint]')) hint.hidden = false;
