/** Reads responses and errors of the developer SDKs, which have a class for each known error code. */

/** Error classes by status, for bodies without an error code of the API. */
const CLASS_BY_STATUS = {
  400: 'BadRequestError',
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  429: 'RatelimitError',
  500: 'InternalServerError',
  503: 'ServiceUnavailableError',
};

const readers = (sdk) => ({
  responseOf: ({ data, status, config }) => ({ response: data, status, request: requestOf(config) }),
  errorOf: (error) => ({ code: error.code, status: error.status, kind: nameOf(sdk, error.constructor) }),
  kindOf: (code) => [`Error${code}`, CLASS_BY_STATUS[code]].find((name) => name in sdk) ?? 'HttpResponseError',
});

/** The exported name of a class, because the names of the classes themselves are minified. */
function nameOf(sdk, constructor) {
  return Object.keys(sdk).find((name) => sdk[name] === constructor) ?? constructor.name;
}

function requestOf({ method, url }) {
  return `${method.toUpperCase()} ${new URL(url, 'http://localhost').pathname}`;
}

module.exports = { readers, requestOf };
