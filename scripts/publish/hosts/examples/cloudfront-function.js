// A CloudFront function for viewer requests (runtime 2.0): finds the file of an address, as the other hosts do.

/** Addresses that already name a file. The id of a product may contain a dot, too. */
const FILE = /^(?!\/product\/).*\.[a-z0-9]+$|\.html$/;

function search(query) {
  const parts = [];
  for (const name of Object.keys(query)) {
    for (const { value } of query[name].multiValue || [query[name]]) {
      parts.push(value === '' ? name : `${name}=${value}`);
    }
  }
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

function redirect(request, path) {
  return { statusCode: 301, headers: { location: { value: path + search(request.querystring) } } };
}

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it
function handler(event) {
  const request = event.request;
  const path = request.uri.replace(/\/+$/, '');
  const moved = /^\/products\/([\w.~-]+)$/.exec(path);
  if (moved) return redirect(request, `/product/${moved[1]}`);
  if (path !== request.uri && /^\/[^/]/.test(path)) return redirect(request, path);
  if (path === '') request.uri = '/index.html';
  else if (!FILE.test(path)) request.uri += '.html';
  return request;
}
