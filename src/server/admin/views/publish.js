/** In ms. */
const POLL_INTERVAL = 500;

/** Polls the progress of the publication. Loads the page again when it ends or the session has expired. */
async function follow(place) {
  const answer = await fetch('/admin/publish/progress', { headers: { Accept: 'application/json' } }).catch(
    () => undefined,
  );
  const isSignedOut = answer?.redirected === true;
  const { text } = answer?.ok && !isSignedOut ? await answer.json() : { text: place.textContent };
  if (text === null || isSignedOut) {
    location.replace('/admin/publish');
    return;
  }
  if (place.textContent !== text) place.textContent = text;
  setTimeout(() => follow(place), POLL_INTERVAL);
}

const place = document.getElementById('progress');
if (place) await follow(place);
