/** Plays the end user, who approves challenges in a separate client, through the emulator's controls. */

const PIN = '123456';
const QUESTIONS = [
  { question: 'First pet?', answer: 'Rex' },
  { question: 'First school?', answer: 'Hill' },
];
/** What the user enters to set, change or restore the PIN. */
const PIN_INPUTS = {
  first: { newPin: PIN, questions: QUESTIONS },
  changed: { pin: PIN, newPin: PIN },
  restored: { answers: QUESTIONS.map(({ answer }) => answer), newPin: PIN },
};
/** Longer than an approved challenge takes to execute. */
const EXECUTION_MS = 1_000;

/** Approves a challenge, by default with the PIN, and waits until it has been executed. */
async function approve({ control }, challengeId, input = { pin: PIN }) {
  const response = await control('POST', `/challenges/${challengeId}/approve`, input);
  await control('POST', '/clock/advance', { durationMs: EXECUTION_MS });
  return response;
}

/** The id of the resource that an approved challenge has created. */
async function resourceCreatedBy({ client, userToken }, challengeId) {
  const { data } = await client.getUserChallenge({ challengeId, userToken });
  return data.challenge.correlationIds[0];
}

module.exports = { PIN_INPUTS, approve, resourceCreatedBy };
