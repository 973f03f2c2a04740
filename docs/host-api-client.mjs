/** A client of the host API: a form out, JSON in. Whatever was refused or declined is an error with its result code. */
export const hostApi = ({ baseUrl, entityId, token }) => {
  const ask = async (method, path, { key, ...parameters } = {}) => {
    const form = new URLSearchParams({ entityId, ...parameters });
    const posts = method === 'POST';
    const response = await fetch(new URL(posts ? path : `${path}?${form}`, baseUrl), {
      method,
      headers: { authorization: `Bearer ${token}`, ...(key === undefined ? {} : { 'idempotency-key': key }) },
      ...(posts ? { body: form } : {}),
    });
    const body = await response.json();
    if (response.ok) return body;
    const { code, description, parameterErrors = [] } = body.result;
    const reasons = parameterErrors.map(({ name, message }) => `${name} ${message}`);
    const why = reasons.join('; ') || body.resultDetails?.ExtendedDescription;
    throw Object.assign(new Error(`${code} ${description}${why ? `: ${why}` : ''}`), { code, body });
  };
  return {
    /** `key` among the parameters is the Idempotency-Key: the same one again gives the first answer again. */
    post: (path, parameters) => ask('POST', path, parameters),
    get: (path, parameters) => ask('GET', path, parameters),
    delete: (path, parameters) => ask('DELETE', path, parameters),
  };
};
