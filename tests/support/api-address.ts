/** The address at which pages on localhost call the API, wherever it really listens. */
export const API_ORIGIN = 'http://localhost:8044';

export const API = `${API_ORIGIN}/api/v1`;
