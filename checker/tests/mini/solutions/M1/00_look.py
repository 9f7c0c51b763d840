# %% [markdown] name="title"
# # 00 · Look around

# %%
print("nothing to write here")
