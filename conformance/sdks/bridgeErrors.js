/**
 * How the bridging SDKs tell of an answer and of a refusal: by a text, behind those of all who passed it on. Estimates and
 * transfers that failed are answers to them.
 */

const readers = {
  answerOf(value, { seen }) {
    const failure = value?.state === 'error' ? value.steps.at(-1) : value?.fees?.find(({ error }) => error);
    if (failure) throw failure.error instanceof Error ? failure.error : new Error(failure.errorMessage);
    return { answer: value, status: seen.status, request: seen.request };
  },
  errorOf: (error, { seen }) => ({ code: textOf(error), status: seen.status, kind: error.constructor.name }),
  kindOf: () => 'Error',
};

function textOf({ message }) {
  return message.split(': ').at(-1).split('. ')[0];
}

module.exports = { readers };
