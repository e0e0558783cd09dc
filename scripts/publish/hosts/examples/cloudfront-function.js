// A CloudFront function for viewer requests: finds the file of an address, as resolutions of the shop want it.
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it
function handler(event) {
  const request = event.request;
  const moved = /^\/products\/([\w.~-]+)$/.exec(request.uri);
  if (moved) {
    return { statusCode: 301, headers: { location: { value: `/product/${moved[1]}` } } };
  }
  if (request.uri === '/') request.uri = '/index.html';
  else if (!/\.[a-z0-9]+$/.test(request.uri)) request.uri += '.html';
  return request;
}
