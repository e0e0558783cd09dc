const EVERY = 500;

/** Shows how far the publication is, and the page anew when it has ended. */
async function follow(place) {
  const answer = await fetch('/office/publish/progress', { headers: { Accept: 'application/json' } }).catch(
    () => undefined,
  );
  const { text } = answer?.ok ? await answer.json() : { text: place.textContent };
  if (text === null) {
    location.replace('/office/publish');
    return;
  }
  if (place.textContent !== text) place.textContent = text;
  setTimeout(() => follow(place), EVERY);
}

const place = document.getElementById('progress');
if (place) await follow(place);
