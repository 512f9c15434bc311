#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
"""The training step behind train_step.hlo and train_step_fixed.hlo.

    python train_step.py --dump train_step.hlo            # fails with E1200
    python train_step.py --fixed --dump train_step_fixed.hlo

A small transformer in bf16: the layers run in a scan, each one is
checkpointed, and the residuals named "attention" and "mlp_up" are offloaded:
the forward loop writes them row by row into stacks in pinned host memory, the
backward loop fetches them row by row. Adam updates the weights.

The mistake: every layer also parks the norm of every token on the host, "for
the dashboard", and the step returns their mean as a metric. The norms are in host
memory, so their mean is too, and nothing says that this output of the step is
host memory: the compiler refuses the step with E1200. --fixed brings the norms
back to the device before it takes their mean.

The dump is the module that jax hands to the compiler. It needs a TPU, or the
TPU compiler alone (`pip install "jax[tpu]"` works on any Linux machine).
"""
import argparse
import functools
import os
import pathlib
import shutil
import tempfile

import jax
import jax.numpy as jnp
from jax import lax
from jax.ad_checkpoint import checkpoint_name
from jax.experimental import topologies
from jax.sharding import SingleDeviceSharding

HOST, DEVICE = jax.memory.Space.Host, jax.memory.Space.Device
BATCH, SEQ, MODEL, HIDDEN, HEADS, LAYERS, VOCAB = 8, 1024, 1024, 4096, 8, 12, 32768

offload_residuals = jax.checkpoint_policies.save_and_offload_only_these_names(
    names_which_can_be_saved=["qkv"],
    names_which_can_be_offloaded=["attention", "mlp_up"],
    offload_src="device",
    offload_dst="pinned_host",
)


def rms_norm(x, scale):
    square = jnp.mean(jnp.square(x.astype(jnp.float32)), -1, keepdims=True)
    return x * lax.rsqrt(square + 1e-6).astype(x.dtype) * scale


def attention(x, w):
    split = (BATCH, SEQ, HEADS, MODEL // HEADS)
    qkv = checkpoint_name(x @ w["qkv"], "qkv")
    q, k, v = (one.reshape(split) for one in jnp.split(qkv, 3, axis=-1))
    scores = jnp.einsum(
        "bshd,bthd->bhst", q, k, preferred_element_type=jnp.float32
    ) * (MODEL // HEADS) ** -0.5
    causal = jnp.tril(jnp.ones((SEQ, SEQ), bool))
    weights = jax.nn.softmax(jnp.where(causal, scores, -1e9)).astype(x.dtype)
    mixed = jnp.einsum("bhst,bthd->bshd", weights, v).reshape(x.shape)
    return checkpoint_name(mixed, "attention") @ w["out"]


def mlp(x, w):
    up = checkpoint_name(x @ w["up"], "mlp_up")
    return jax.nn.gelu(up) @ w["down"]


@functools.partial(jax.checkpoint, policy=offload_residuals)
def layer(x, w):
    x = x + attention(rms_norm(x, w["attention_norm"]), w)
    return x + mlp(rms_norm(x, w["mlp_norm"]), w)


def loss_and_norms(params, tokens):
    def body(x, w):
        x = layer(x, w)
        norms = jnp.linalg.norm(lax.stop_gradient(x).astype(jnp.float32), axis=-1)
        return x, jax.device_put(norms, HOST)  # off the device at once

    x = params["embedding"][tokens[:, :-1]]
    x, token_norms = lax.scan(body, x, params["layers"])
    logits = (x @ params["embedding"].T).astype(jnp.float32)
    wanted = jax.nn.one_hot(tokens[:, 1:], VOCAB, dtype=jnp.float32)
    picked = jnp.sum(logits * wanted, axis=-1)
    return jnp.mean(jax.nn.logsumexp(logits, axis=-1) - picked), token_norms


def adam(param, mean, square, grad, step):
    grad = grad.astype(jnp.float32)
    mean = 0.9 * mean + 0.1 * grad
    square = 0.95 * square + 0.05 * jnp.square(grad)
    update = (mean / (1 - 0.9**step)) * lax.rsqrt(square / (1 - 0.95**step) + 1e-8)
    return (param - 3e-4 * update).astype(param.dtype), mean, square


def train_step(params, moments, step, tokens, fixed=False):
    (loss, token_norms), grads = jax.value_and_grad(loss_and_norms, has_aux=True)(
        params, tokens
    )
    step = step + 1
    updated = jax.tree.map(
        lambda p, m, v, g: adam(p, m, v, g, step.astype(jnp.float32)),
        params, *moments, grads,
    )
    params, *moments = jax.tree.transpose(
        jax.tree.structure(grads), jax.tree.structure((0, 0, 0)), updated
    )
    if fixed:
        token_norms = jax.device_put(token_norms, DEVICE)
    metrics = {
        "loss": loss,
        "grad_norm": jnp.sqrt(
            sum(jnp.sum(jnp.square(g.astype(jnp.float32))) for g in jax.tree.leaves(grads))
        ),
        "token_norm": token_norms.mean(),
    }
    return params, tuple(moments), step, metrics


def arguments(sharding):
    """The arguments of train_step as shapes: nothing is allocated."""
    def array(*shape, dtype=jnp.bfloat16):
        return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)

    params = {
        "embedding": array(VOCAB, MODEL),
        "layers": {
            "qkv": array(LAYERS, MODEL, 3 * MODEL),
            "out": array(LAYERS, MODEL, MODEL),
            "up": array(LAYERS, MODEL, HIDDEN),
            "down": array(LAYERS, HIDDEN, MODEL),
            "attention_norm": array(LAYERS, MODEL),
            "mlp_norm": array(LAYERS, MODEL),
        },
    }
    moment = jax.tree.map(lambda p: array(*p.shape, dtype=jnp.float32), params)
    return (
        params,
        (moment, moment),
        array(dtype=jnp.int32),
        array(BATCH, SEQ + 1, dtype=jnp.int32),
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fixed", action="store_true", help="bring the norms back")
    parser.add_argument("--dump", type=pathlib.Path, help="write the compiler's input here")
    args = parser.parse_args()

    # The compiler alone, for a chip that need not be in this machine.
    os.environ.setdefault("TPU_SKIP_MDS_QUERY", "1")
    os.environ.setdefault("TPU_WORKER_HOSTNAMES", "localhost")
    os.environ.setdefault("TPU_ACCELERATOR_TYPE", "v5litepod-4")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    # Source files by name, not by the path on this machine.
    jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")

    device = topologies.get_topology_desc("v5e:2x2", "tpu").devices[0]
    step = jax.jit(
        functools.partial(train_step, fixed=args.fixed), donate_argnums=(0, 1, 2)
    )
    lowered = step.lower(*arguments(SingleDeviceSharding(device)))
    with tempfile.TemporaryDirectory() as dump:
        try:
            lowered.compile(
                compiler_options={"xla_dump_to": dump, "xla_dump_hlo_as_text": True}
            )
            print("compiled")
        except jax.errors.JaxRuntimeError as error:
            print(error)
        if args.dump:
            (before,) = pathlib.Path(dump).glob("*.before_optimizations.txt")
            shutil.copyfile(before, args.dump)


if __name__ == "__main__":
    main()
