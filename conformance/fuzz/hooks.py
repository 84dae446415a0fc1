"""
What schemathesis can't know of a schema: credentials, secrets that are good once, and ids that exist.

The world is a JSON file named by FUZZ_WORLD: `{entitySecret, publicKey, userToken, bodies, values}`. `bodies` are good ones
by operation, of which made-up requests change some fields; `values` are known ones by field (`walletId`, `address`), to
which those of answers are added. A request that was broken on purpose stays broken: only values
that have the form of an id or an address are replaced.
"""

import base64
import json
import os
import random
import re

import schemathesis
from schemathesis import GenerationMode
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

with open(os.environ["FUZZ_WORLD"], encoding="utf8") as file:
    WORLD = json.load(file)

KEY = serialization.load_pem_public_key(WORLD["publicKey"].encode())
PADDING = padding.OAEP(mgf=padding.MGF1(hashes.SHA256()), algorithm=hashes.SHA256(), label=None)
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
# Requests as generated are worth sending too: ids of nothing, ciphertexts of nothing, no user.
AS_GENERATED = 0.15
MOST_VALUES = 200
PROOFS = ("entitySecretCiphertext", "idempotencyKey")

values = {field: list(known) for field, known in WORLD["values"].items()}
dice = random.Random(int(os.environ.get("FUZZ_SEED", "1")))


@schemathesis.hook
def before_call(context, case, kwargs):
    case.path_parameters = known(case.path_parameters, noun_of(case.operation.path))
    case.query = known(case.query)
    case.body = known(near_good(case))
    if takes_user(case) and dice.random() > AS_GENERATED:
        case.headers["X-User-Token"] = WORLD["userToken"]


@schemathesis.hook
def after_call(context, case, response):
    try:
        harvest(json.loads(response.content), "")
    except ValueError:
        pass


def near_good(case):
    """Mostly a good body with a few fields of the made-up one, where that was made by the schema."""
    body, good = case.body, WORLD["bodies"].get(operation_of(case))
    positive = case.meta is None or case.meta.generation.mode == GenerationMode.POSITIVE
    if good is None or not positive or not isinstance(body, dict) or dice.random() < AS_GENERATED:
        return body
    proofs = {name: body[name] for name in PROOFS if name in body}
    changed = dice.sample(sorted(body), min(len(body), dice.choice((0, 0, 1, 1, 2))))
    return {**good, **proofs, **{name: body[name] for name in changed}}


def operation_of(case):
    """Without the number of a public spelling."""
    return case.operation.definition.raw["operationId"].rstrip("0123456789")


def takes_user(case):
    return any("userToken" in way for way in case.operation.definition.raw.get("security", []))


def noun_of(path):
    """`walletId` for the `id` of `/wallets/{id}`."""
    segments = path.split("/")
    names = [before for before, segment in zip(segments, segments[1:]) if segment == "{id}"]
    return singular(names[0]) + "Id" if names else "id"


def singular(noun):
    return noun[:-1] if noun.endswith("s") else noun


def known(value, noun="id", field=""):
    """The same with known values in place of made-up ones."""
    if hasattr(value, "items"):
        return type(value)({name: known(item, noun, noun if name == "id" else name) for name, item in value.items()})
    if isinstance(value, list):
        return [known(item, noun, singular(field)) for item in value]
    if not isinstance(value, str) or value == "" or dice.random() < AS_GENERATED:
        return value
    if field in ("entitySecretCiphertext", "entitySecretCipherText"):
        return base64.b64encode(KEY.encrypt(bytes.fromhex(WORLD["entitySecret"]), PADDING)).decode()
    if field in ("idempotencyKey", "refId"):
        return value
    if UUID.fullmatch(value):
        return dice.choice(values.get(field) or [value])
    lower = field.lower()
    if lower.endswith("address") or field in ("destination", "origin"):
        return dice.choice(values["address"])
    if field in ("userId", "endpoint", "tokenId", "contractAddress", "transactionHash", "message", "transaction"):
        return dice.choice(values.get(field) or [value])
    return value


def harvest(answer, noun):
    """Ids of what an answer shows, under the names by which requests call them."""
    if isinstance(answer, list):
        for item in answer:
            harvest(item, singular(noun))
    elif isinstance(answer, dict):
        for field, value in answer.items():
            if isinstance(value, str) and UUID.fullmatch(value):
                keep(f"{noun}Id" if field == "id" and noun not in ("", "data") else field, value)
            elif isinstance(value, (dict, list)):
                harvest(value, field)


def keep(field, value):
    kept = values.setdefault(field, [])
    if value in kept:
        return
    kept.append(value)
    if len(kept) > MOST_VALUES:
        kept.pop(0)
