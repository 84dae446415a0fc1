import { randomUUID } from 'node:crypto';
import type { TestClient, TestResponse } from '../chain/support';

export const PIN = '123456';
export const WRONG_PIN = '654321';
export const QUESTIONS = [
  { question: 'First pet?', answer: 'Rex' },
  { question: 'First school?', answer: 'Hill' },
];
export const ANSWERS = QUESTIONS.map(({ answer }) => answer);
/** Longer than an approved challenge takes to complete. */
const CHALLENGE_RUN_MS = 1_000;

/** A user in a world, with a user token. */
export class TestUser {
  constructor(
    readonly client: TestClient,
    readonly id: string,
    readonly token: string,
    readonly encryptionKey: string,
  ) {}

  /** Creates a user without PIN. */
  static async create(client: TestClient, id = `user-${randomUUID()}`): Promise<TestUser> {
    await client.send('POST', '/users', { userId: id });
    const { data } = await client.send('POST', '/users/token', { userId: id });
    return new TestUser(client, id, data.userToken, data.encryptionKey);
  }

  /** Creates a user with PIN, security questions and a wallet on each of the blockchains. */
  static async initialized(client: TestClient, blockchains?: string[], accountType?: string): Promise<TestUser> {
    const user = await TestUser.create(client);
    const { data } = await user.postWithKey('/user/initialize', { blockchains, accountType });
    await user.approve(data.challengeId, { newPin: PIN, questions: QUESTIONS });
    return user;
  }

  send(method: string, path: string, body?: object): Promise<TestResponse> {
    return this.client.send(method, path, body, { 'x-user-token': this.token });
  }

  get(path: string): Promise<TestResponse> {
    return this.send('GET', path);
  }

  /** Sends a request with a new idempotency key. */
  postWithKey(path: string, body: object = {}, method = 'POST'): Promise<TestResponse> {
    return this.send(method, path, { idempotencyKey: randomUUID(), ...body });
  }

  /** Approves a challenge, by default with the PIN, and waits until it is over. */
  async approve(challengeId: string, content: object = { pin: PIN }): Promise<TestResponse> {
    const response = await this.client.control('POST', `/challenges/${challengeId}/approve`, content);
    await this.client.world.control.advance(CHALLENGE_RUN_MS);
    return response;
  }

  async challenge(id: string) {
    return (await this.get(`/user/challenges/${id}`)).data.challenge;
  }

  async user() {
    return (await this.get('/user')).data;
  }
}
