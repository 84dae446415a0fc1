/**
 * Reads responses and errors of the bridging SDKs. Each layer that passes an error on puts its own text before the message, so
 * the last part is the original text. The SDKs return failed estimates and transfers instead of throwing.
 */

const readers = {
  responseOf(value, { seen }) {
    const failure = value?.state === 'error' ? value.steps.at(-1) : value?.fees?.find(({ error }) => error);
    if (failure) throw failure.error instanceof Error ? failure.error : new Error(failure.errorMessage);
    return { response: value, status: seen.status, request: seen.request };
  },
  errorOf: (error, { seen }) => ({ code: textOf(error), status: seen.status, kind: error.constructor.name }),
  kindOf: () => 'Error',
};

function textOf({ message }) {
  return message.split(': ').at(-1).split('. ')[0];
}

module.exports = { readers };
