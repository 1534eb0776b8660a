"""What changes state and what does not: a false read is a danger, a false write a loss."""

from __future__ import annotations

import pytest
from drafting import endpoint, page, settle

from doc2tools.compiler.passes.effects import Call, judge

READS = [
    # What the reader does with the address is nothing that the server does.
    ("/halls/{id}", "", "Put the number of the hall in place of *id*."),
    ("/halls/{id}", "", "Insert your own hall in the URL."),
    ("/read-only", "", "like the above endpoint, but also includes the first."),
    ("/ping", "", "Clone the repository, open a terminal there, then run:"),
    # Participles and nouns describe; they are no verbs.
    ("/deleted-items", "", ""),
    ("/deleted-items", "", "List the deleted items."),
    ("/users", "", "List of created users"),
    ("/users", "", "Returns all users that were removed or banned."),
    ("/users/{id}", "", "Returns the date the user was created."),
    ("/accounts/blocked", "", ""),
    ("/recently-updated", "", ""),
    ("/archived/{id}", "", ""),
    ("/search", "", "Search for deleted and restored files."),
    ("/files", "", "Returns the files, including those marked as deleted."),
    ("/events", "", "Lists events such as create, delete and update."),
    ("/audit", "", "Shows who deleted what."),
    ("/posts/{id}", "", "Gets a published post."),
    # Compounds of two nouns.
    ("/status/stop-codes", "", ""),
    ("/status/stop-codes", "", "Returns all stop codes."),
    ("/stop-times", "", ""),
    ("/order-items", "", ""),
    # A verb with an ending, and a question about a verb.
    ("/installations", "", ""),
    ("/packages/installers", "", ""),
    ("/users/createdby", "", ""),
    ("/users/updatedat", "", ""),
    ("/system/restart-required", "", ""),
    ("/system/update-available", "", ""),
    ("/counters", "", "The counters function provides the ability to query the totals."),
    ("/users", "", "Returns the users that have the ability to delete posts."),
    ("/update-history", "", ""),
    ("/release-notes", "", ""),
    ("/block-list", "", ""),
    ("/run-logs", "", ""),
    ("/start-page", "", ""),
    ("/post-comments", "", ""),
    ("/record-count", "", ""),
    ("/launch-date", "", ""),
    ("/lock-status", "", ""),
    ("/delete-history", "", ""),
    ("/restart-count", "", ""),
    # Resources whose name is also a verb.
    ("/stops", "", ""),
    ("/stop/{id}", "", "Get a stop by its id."),
    ("/stop/{id}", "Bus stop", ""),
    ("/orders", "Orders", ""),
    ("/order/{id}", "", "Order details"),
    ("/order/{id}", "", ""),
    ("/move/{id}", "", "Moves are the skills of a player."),
    ("/launch/{id}", "", ""),
    ("/launch/next", "", "Get the next launch."),
    ("/run/{id}", "", ""),
    ("/runs", "", "Running jobs"),
    ("/jobs/{id}/run", "", "Get the run of a job."),
    ("/block/{hash}", "", ""),
    ("/block/height", "Block height", ""),
    ("/release/{id}", "Release", ""),
    ("/releases", "Releases", ""),
    ("/record/{id}", "", ""),
    ("/set/{code}", "", "Get a set of cards by its code."),
    ("/set/{code}", "Card set", ""),
    ("/post/{id}", "", ""),
    ("/posts", "", "Get all posts."),
    ("/import/{id}", "", "Get the status of an import."),
    ("/updates", "", "Returns updates."),
    ("/update/latest", "", "Returns the latest update."),
    ("/schedule", "", ""),
    ("/copy/{isbn}", "", ""),
    ("/store/{id}", "", ""),
    ("/snapshot/{id}", "", ""),
    ("/queue", "", "Show the queue."),
    ("/charge/{id}", "", ""),
    ("/tags", "", ""),
    ("/likes", "", "Likes of a post"),
    ("/changes", "Changes", ""),
    ("/publish", "", "List what is published."),
    ("/locks", "", "Shows who holds locks and when they start and stop."),
    # Headings that start with a noun.
    ("/prices", "Closing price", ""),
    ("/hours", "Opening hours", ""),
    ("/rates", "Update frequency", ""),
    ("/jobs", "Running containers", ""),
    ("/quotes", "Order book", ""),
    ("/trains", "Start time", ""),
    # Leading verbs that read.
    ("/redirect-to", "", "302 Redirects to the given URL."),
    ("/format", "Formatting expressions", ""),
    ("/getDeletedUsers", "", ""),
    ("/list-removed-keys", "", ""),
    ("/auth/login", "", "Get the active authentication scheme."),
    ("/backup", "", "Get the backup status."),
    ("/items/{id}/file", "", "Sends the media file of the item."),
    ("/value", "", "Send a GET request to this URL to retrieve the value."),
    ("/value", "", "To retrieve it, send a `GET` request to `/value` and add the name."),
    ("/feed", "", "This endpoint updates every 5 minutes."),
    ("/feed", "", "This feed is updated daily."),
    ("/config", "", "Return the configuration. It is reloaded every minute."),
    ("/graph", "", "This endpoint returns the graph and its nodes."),
    ("/query", "", "Runs of the last week"),
    ("/wait", "", "Waits until the key changes and returns it."),
    ("/bytes/{n}", "", "Generates n random bytes."),
    ("/stats", "", "Start and stop times of all trips."),
    # What a call takes or computes.
    ("/geocode", "", "Accepts an address and returns its coordinates."),
    ("/thumb", "", "Applies a filter to the image."),
    ("/add", "", "Adds two numbers."),
    ("/people", "", "Joins the tables of people and towns."),
    ("/actions", "", ""),
    ("/actions/{id}", "", ""),
    # What is the client's own.
    ("/cookies/set", "", "Sets one or more simple cookies."),
    ("/cookies/delete", "", "Deletes one or more simple cookies."),
    ("/cookies/set/{name}/{value}", "", ""),
    ("/cache/{n}", "", "Sets a Cache-Control header for n seconds."),
    ("/etag/{etag}", "", "Assumes the resource has the given etag."),
    ("/forms/post", "", "HTML form that submits to /post"),
    ("/forms/post", "", ""),
]

CHANGES = [
    # Sentences to the reader look alike.
    ("/lamps/{id}", "", "Put the lamp in standby in place of switching it off."),
    ("/halls/{id}", "", "Insert a hall into the catalogue."),
    ("/copies/{id}", "", "Clone the repository."),
    ("/photos/{id}", "", "Like the photo."),
    ("/copies/{id}", "", "Clone the project and notify its members."),
    # Words in capitals are commands, not nouns.
    ("/SET/plum/jam", "", ""),
    ("/INCR/plum", "", ""),
    ("/7/PUSH/list/a", "", "Gives the length."),
    # A verb as the whole path or its end.
    ("/restart", "", ""),
    ("/-/reload", "", ""),
    ("/-/quit", "", ""),
    ("/shutdown", "", ""),
    ("/logout", "", ""),
    ("/reset", "", ""),
    ("/create", "", "Returns a new id."),
    ("/delete/{id}", "", ""),
    ("/delete/{id}", "", "Returns a confirmation."),
    ("/users/{id}/delete", "", ""),
    ("/users/{id}/ban", "", ""),
    ("/server/stop", "", ""),
    ("/services/{id}/stop", "", ""),
    ("/services/{id}/stop", "", "Returns 200 when it has stopped."),
    ("/jobs/{id}/run", "", ""),
    ("/jobs/{id}/cancel", "", "Returns the job."),
    ("/cache/clear", "", ""),
    ("/cache/purge", "", ""),
    ("/player/pause", "", "Pause playback."),
    ("/player/play", "", "Play the current track."),
    ("/light/toggle", "", ""),
    ("/light/on", "", "Turn on the light."),
    ("/relay/{id}/off", "", ""),
    ("/keys/{id}/revoke", "", ""),
    ("/keys/{id}/rotate", "", ""),
    ("/trigger/{hook}", "", ""),
    ("/kill/{pid}", "", ""),
    ("/admin/killprocess", "", ""),
    ("/admin/deleteuser", "", ""),
    ("/account/resetpassword", "", ""),
    ("/admin/seats", "", "This function provides the ability to move guests to another table."),
    ("/admin/tags", "", "Offers a way for a client or any program to update the tags."),
    ("/selftest", "", "Declares a test queue on the node."),
    ("/selftest", "", "Prepares a channel, then publishes a message."),
    ("/set/{key}", "", ""),
    ("/vote/{id}", "", "Vote for an option."),
    ("/hit/{key}", "", "So you could use something like this."),
    ("/delete.php", "", ""),
    ("/JSON/core/action/snapshotSession/", "", ""),
    ("/cmd/lights", "", ""),
    ("/exit", "", ""),
    # Compounds that start or end with a verb.
    ("/admin/tsdb/delete_series", "", ""),
    ("/createToken", "", ""),
    ("/setVolume", "", ""),
    ("/set_mode", "", ""),
    ("/add_user.php", "", ""),
    ("/updateUser", "", ""),
    ("/postMessage", "", ""),
    ("/stop-service", "", ""),
    ("/clear-cache", "", ""),
    ("/user-delete", "", ""),
    ("/cache_flush", "", ""),
    ("/getAndDelete", "", ""),
    ("/get_or_create", "", ""),
    ("/jobs/{id}:cancel", "", ""),
    ("/items:batchDelete", "", ""),
    ("/forceRestart", "", ""),
    # Titles and summaries that start with a verb.
    ("/x", "", "Deletes the user."),
    ("/x", "", "Delete a user"),
    ("/x", "Restart server", ""),
    ("/x", "Deleting a user", ""),
    ("/x", "Stop server", ""),
    ("/x", "", "Restarts the device and returns its state."),
    ("/x", "", "Used to delete a user."),
    ("/x", "", "Can be used to reset a password."),
    ("/x", "", "Allows you to delete users."),
    ("/x", "", "Enables you to remove entries."),
    ("/x", "", "This endpoint restarts the device."),
    ("/x", "", "This will permanently delete the account."),
    ("/x", "", "Update the settings."),
    ("/x", "", "Updates a key by an amount."),
    ("/x", "", "Set the value of a key."),
    ("/x", "", "Sets volume"),
    ("/x", "", "Turns off the heating."),
    ("/x", "", "Rotates the key."),
    ("/x", "", "Moves the file to the trash."),
    ("/x", "", "Order a pizza."),
    ("/x", "", "Follow a user."),
    ("/x", "", "Marks all messages as read."),
    ("/x", "", "Sends an email to the user."),
    ("/x", "", "Send a GET request to this URL to delete the user."),
    ("/x", "", "Starts the import."),
    ("/x", "", "Shuts down the server."),
    ("/x", "", "Immediately terminates all sessions."),
    # Reading and changing in one call.
    ("/log", "", "Returns and clears the log."),
    ("/queue/next", "", "Get and delete a message."),
    ("/queue/next", "", "Fetches the next item and removes it from the queue."),
    ("/token", "", "Generate a new API key."),
    ("/invoice", "", "Generates an invoice for the order."),
]


def test_enough_examples() -> None:
    assert len(READS) + len(CHANGES) >= 120


@pytest.mark.parametrize(("path", "title", "summary"), READS)
def test_get_that_reads(path: str, title: str, summary: str) -> None:
    effect = judge(Call(method="GET", path=path, title=title, summary=summary))
    assert effect.kind == "read", effect.reason


@pytest.mark.parametrize(("path", "title", "summary"), CHANGES)
def test_get_that_changes_state(path: str, title: str, summary: str) -> None:
    effect = judge(Call(method="GET", path=path, title=title, summary=summary))
    assert effect.kind != "read"
    assert effect.reason.startswith("GET, but ")


@pytest.mark.parametrize(
    ("selectors", "reads"),
    [
        ((("action", "delete"),), False),
        ((("action", "stop"),), False),
        ((("cmd", "restart"),), False),
        ((("method", "user.delete"),), False),
        ((("do", "logout"),), False),
        ((("op", "set"),), False),
        ((("f", "del_email"),), False),
        ((("delete", ""),), False),
        ((("purge", "1"),), False),
        ((("method", "photos.addTags"),), False),
        ((("action", "list"),), True),
        ((("action", "query"),), True),
        ((("action", "parse"),), True),
        ((("method", "chart.getTopTracks"),), True),
        ((("module", "block"), ("action", "getblockreward")), True),
        ((("type", "order"),), True),
        ((("f", "get_email_list"),), True),
    ],
)
def test_selectors(selectors: tuple[tuple[str, str], ...], reads: bool) -> None:
    effect = judge(Call(method="GET", path="/api", selectors=selectors))
    assert (effect.kind == "read") is reads, effect.reason


@pytest.mark.parametrize(
    ("description", "reads"),
    [
        ("Reads the counter. Calling this will delete the record.", False),
        ("Gives the value. WARNING: this endpoint permanently removes all data.", False),
        ("Gives the value. This call has side effects.", False),
        ("Gives the value. The request also restarts the service.", False),
        ("Gives the value. This cannot be undone.", False),
        ("Gives the value. Each call increments the counter.", False),
        ("Gives the value. Every request to it is logged.", True),
        ("Gives the value. This endpoint accepts a limit and applies a filter.", True),
        ("Gives the value. The request blocks the connection until it changes.", True),
        ("Gives the value. This endpoint replaces the older one and extends it.", True),
        ("Gives the value. This endpoint is deprecated and will be removed.", True),
        ("Gives the value. The service sends the response as JSON.", True),
        ("Gives the value. The API stores the last values.", True),
        ("Gives the value. This call has no side effects.", True),
        ("Gives the value. To delete it, use the DELETE method.", True),
        ("Gives the value. Create an API key first. Run the server with --api.", True),
        ("Gives the value. It is deleted after an hour.", True),
        ("Gives the value. Set `pretty` to true to get line breaks.", True),
        ("Gives the value. The service was restarted when it is zero.", True),
    ],
)
def test_descriptions(description: str, reads: bool) -> None:
    effect = judge(
        Call(method="GET", path="/v", summary="Gives the value.", description=description)
    )
    assert (effect.kind == "read") is reads, effect.reason


@pytest.mark.parametrize(
    ("method", "path", "kind", "idempotent"),
    [
        ("HEAD", "/users", "read", True),
        ("OPTIONS", "/users", "read", True),
        ("POST", "/users", "write", False),
        ("POST", "/users/{id}/delete", "destructive", False),
        ("POST", "/search", "write", False),
        ("PUT", "/users/{id}", "write", True),
        ("PATCH", "/users/{id}", "write", False),
        ("DELETE", "/users/{id}", "destructive", True),
        ("PURGE", "/cache", "write", False),
    ],
)
def test_methods(method: str, path: str, kind: str, idempotent: bool) -> None:
    effect = judge(Call(method=method, path=path))
    assert (effect.kind, effect.idempotent) == (kind, idempotent)


def test_destructive_is_told_from_write() -> None:
    assert judge(Call(method="GET", path="/cache/purge")).kind == "destructive"
    assert judge(Call(method="GET", path="/keys/{id}/rotate")).kind == "write"


def test_a_section_heading_shared_with_a_delete_does_not_block_the_get() -> None:
    heading = "Deleting a key"
    get = Call(method="GET", path="/keys/{key}", title=heading)
    delete = Call(method="DELETE", path="/keys/{key}", title=heading, summary="Deletes the key.")
    assert judge(get, (delete,)).kind == "read"
    assert judge(get).kind == "destructive"


def test_the_path_of_a_resource_that_takes_posts_is_no_verb() -> None:
    beside = (Call(method="POST", path="/publish", summary="Publish a repository."),)
    assert judge(Call(method="GET", path="/publish"), beside).kind == "read"
    assert judge(Call(method="GET", path="/publish")).kind == "write"


def test_a_verb_proved_in_one_path_counts_in_the_others() -> None:
    spec, _ = settle(
        page(
            endpoint("GET /hit/{key}", line=1, summary="This endpoint increments the key."),
            endpoint("GET /hit/{space}/{key}", line=2, summary="With a namespace."),
            bases=("https://count.io",),
        )
    )
    assert [tool.effect.kind for tool in spec.endpoints] == ["write", "write"]


@pytest.mark.parametrize("text", ["a" * 100_000, "delete " * 20_000, "\x00\ud800", "(((((" * 5_000])
def test_hostile_text_is_judged_quickly(text: str) -> None:
    effect = judge(Call(method="GET", path=f"/{text}", title=text, summary=text, description=text))
    assert effect.reason
