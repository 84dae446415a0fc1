/** How the developer SDKs tell of an answer and of a refusal: every known code has a class of its own. */

/** Classes for what the body gives no code of the API, by status. */
const OF_STATUS = {
  400: 'BadRequestError',
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  429: 'RatelimitError',
  500: 'InternalServerError',
  503: 'ServiceUnavailableError',
};

const readers = (sdk) => ({
  answerOf: ({ data, status, config }) => ({ answer: data, status, request: requestOf(config) }),
  errorOf: (error) => ({ code: error.code, status: error.status, kind: nameOf(sdk, error.constructor) }),
  kindOf: (code) => [`Error${code}`, OF_STATUS[code]].find((name) => name in sdk) ?? 'HttpResponseError',
});

/** The names that the package exports; those of the classes themselves are minified. */
function nameOf(sdk, constructor) {
  return Object.keys(sdk).find((name) => sdk[name] === constructor) ?? constructor.name;
}

function requestOf({ method, url }) {
  return `${method.toUpperCase()} ${new URL(url, 'http://localhost').pathname}`;
}

module.exports = { readers, requestOf };
