import { randomUUID } from 'node:crypto';
import type { Answer, Chain } from '../chain/support';

export const PIN = '123456';
export const WRONG_PIN = '654321';
export const QUESTIONS = [
  { question: 'First pet?', answer: 'Rex' },
  { question: 'First school?', answer: 'Hill' },
];
export const ANSWERS = QUESTIONS.map(({ answer }) => answer);
/** Longer than a challenge is under way. */
const UNDER_WAY_MS = 1_000;

/** A user of a world, with a user token. */
export class Person {
  constructor(
    readonly chain: Chain,
    readonly id: string,
    readonly token: string,
    readonly encryptionKey: string,
  ) {}

  /** With nothing set. */
  static async create(chain: Chain, id = `user-${randomUUID()}`): Promise<Person> {
    await chain.send('POST', '/users', { userId: id });
    const { data } = await chain.send('POST', '/users/token', { userId: id });
    return new Person(chain, id, data.userToken, data.encryptionKey);
  }

  /** With PIN, security questions, and a wallet on each of the blockchains. */
  static async initialized(chain: Chain, blockchains?: string[], accountType?: string): Promise<Person> {
    const person = await Person.create(chain);
    const { data } = await person.ask('/user/initialize', { blockchains, accountType });
    await person.approve(data.challengeId, { newPin: PIN, questions: QUESTIONS });
    return person;
  }

  send(method: string, path: string, body?: object): Promise<Answer> {
    return this.chain.send(method, path, body, { 'x-user-token': this.token });
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  /** A request with a new idempotency key. */
  ask(path: string, body: object = {}, method = 'POST'): Promise<Answer> {
    return this.send(method, path, { idempotencyKey: randomUUID(), ...body });
  }

  /** Approves with the PIN unless told otherwise, and waits until the challenge is over. */
  async approve(challengeId: string, content: object = { pin: PIN }): Promise<Answer> {
    const answer = await this.chain.control('POST', `/challenges/${challengeId}/approve`, content);
    await this.chain.world.control.advance(UNDER_WAY_MS);
    return answer;
  }

  async challenge(id: string) {
    return (await this.get(`/user/challenges/${id}`)).data.challenge;
  }

  async user() {
    return (await this.get('/user')).data;
  }
}
