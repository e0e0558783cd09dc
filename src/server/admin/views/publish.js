/** In ms. */
const POLL_INTERVAL = 500;
const ANSWER_TIME = 10_000;

/**
 * Polls the progress of the publication, also while the server or a program before it does not answer. Loads the page again
 * when it ends or the session has expired.
 */
async function follow(place) {
  const { text = place.textContent } = await fetch('/admin/publish/progress', {
    headers: { Accept: 'application/json' },
    signal: AbortSignal.timeout(ANSWER_TIME),
  })
    .then((answer) => (answer.redirected ? { text: null } : answer.json()))
    .catch(() => ({}));
  if (text === null) {
    location.replace('/admin/publish');
    return;
  }
  if (place.textContent !== text) place.textContent = text;
  setTimeout(() => follow(place), POLL_INTERVAL);
}

const place = document.getElementById('progress');
if (place) await follow(place);
