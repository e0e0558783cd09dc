/** In ms. */
const POLL_INTERVAL = 500;

/** Shows how far the publication is, and loads the page again when it has ended or nobody is signed in any more. */
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
