"""Small valid files of every format, from which hostile ones are made."""

HEAD = "@relation r\n@attribute x numeric\n@attribute a {0,1}\n@attribute 'b c' {0,1}\n@attribute d {0,1}\n@data\n"
XML = '<?xml version="1.0" encoding="utf-8"?>\n<labels xmlns="http://mulan.sourceforge.net/labels">\n'
HEADING = "attributeDatasetIndex\tattributeName\t[oneRank, twoRank]\t[one, two]"

# reader: how the first file is read; files: their names and contents.
SAMPLES = (
    {
        "reader": "arff",
        "files": {
            "x.arff": "% made up\n@RELATION 'the weather'\n\n@Attribute outlook {sunny, 'light rain', \"o'cast\"}\n"
            "@attribute 'degrees C' REAL\n@attribute hour\tinteger  % of the day\n@attribute note string\n"
            '@attribute day date "yyyy-MM-dd"\n@attribute Class {no, yes}\n@data\n'
            "sunny, 21.5, 3, 'a, b', 2020-01-01, yes\n% a comment\n'light rain',?,4,?,'2020-01-02',no\n\n"
            '"o\'cast", -1e-3 , 5, "it\\\'s \\"so\\"\\n", ?, ?\n',
        },
    },
    {
        "reader": "arff",
        "files": {
            "x.arff": "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute c numeric\n@data\n"
            "1,2,3\n4,?,6\n7 8 9\n1e3,-2.5,.5,{0.5}\n1,2,3\n",
        },
    },
    {
        "reader": "arff",
        "files": {
            "x.arff": "@relation r\n@attribute a numeric\n@attribute b {x, y}\n@attribute c {0, 1}\n"
            "@attribute d {30, 4, 7}\n@attribute e numeric\n@attribute t string\n@data\n"
            "{0 1.5,1 y,2 1, 3 4}\n{}\n{ 4 -2,0 ? ,3 '7', 5 'a b' }\n{0 0, 1 x, 2 0.0, 3 30},{2}\n",
        },
    },
    {
        "reader": "arff",
        "files": {
            "x.arff": HEAD + "5,1,0,1\n6,0,?,0\n{0 5,1 1,3 1}\n"[:16],
            "x.xml": XML + '<label name="a"><label name="d"></label></label>\n<label name="b c"/>\n</labels>\n',
        },
    },
    {
        "reader": "arff",
        "files": {
            "x-train.arff": HEAD + "{0 5,1 1,3 1}\n{0 6,2 ?}\n",
            "x.xml": XML + '<label name="a"/>\n<label name="d"/>\n</labels>\n',
        },
    },
    {
        "reader": "arff",
        "files": {"x.arff": HEAD.replace("@relation r", "@relation 'meka: -C 2 -split-percentage 50'") + "1,0,1,0\n"},
    },
    {
        "reader": "arff",
        "files": {"x.arff": HEAD.replace("@data", "@inputs x\n@outputs d, a\n@data") + "1,0,1,0\n2,1,?,1\n"},
    },
    {
        "reader": "arff",
        "files": {
            "x.arff": "@relation r\n@attribute x numeric\n@attribute class hierarchical pet/cat/tom,pet/dog,plant\n"
            "@data\n1,pet/cat/tom@plant\n2,pet/dog\n3,?\n4,n\n5,pet\n",
            "x.s": "[Attributes]\nTarget = 2\nDescriptive = 1\n\n[Hierarchical]\nType = TREE\nHSeparator = /\n",
        },
    },
    {
        "reader": "arff",
        "files": {
            "x.arff": "@relation r\n@attribute x numeric\n@attribute class hierarchical root/A,root/B,A/C,B/C,C/D\n"
            "@data\n1,C@A\n2,B\n3,?\n",
            "x.s": "[Attributes]\nTarget = 2\nDisable = none\n[Hierarchical]\nType = DAG\n",
        },
    },
    {
        "reader": "arff",
        "files": {
            "x.arff": "@relation r\n@attribute x numeric\n@attribute class hierarchical 1.1,1.2.1,2\n@data\n"
            "1,1.1@2\n2,1.2.1\n",
            "x.s": "[Hierarchical]\nType = TREE\nHSeparator = .\n",
        },
    },
    {
        "reader": "arff",
        "files": {
            "x.arff": HEAD + "1,0,1,0\n2,1,0,1\n",
            "x.s": "[General]\nVerbose = 1\n[Attributes]\nTarget = 2-4,3\nDisable = 1\nKey = 1 % no\n",
        },
    },
    {
        "reader": "fimp",
        "files": {
            "x.fimp": f"Ranking method: made up\nEnsemble size: 10\n{HEADING}\n{'-' * len(HEADING)}\n"
            "3\tc\t[1, 3]\t[0.5, -Infinity]\n1\ta b\t[2, 1]\t[2.5E-3, 7.0]\n2\tb\t[2, 2]\t[2.5E-3, NaN]\n",
        },
    },
    {
        "reader": "fimp",
        "files": {
            "x.fimp": "any\nattributeName\t[one,two]\n----------------------\na\t[1.0, 2.0]\n7\t[3.0, 4]\n",
        },
    },
    {"reader": "paths", "files": {"x.txt": "a/b@c/d\na/b/c\n\nc\nd/e@a\n"}},
)

# Of the command line: what follows the name of the first file.
COMMANDS = (
    {
        "files": {
            "x.csv": "a,b,c#class\n1,2,x\n2,1,y\n3,3,x\n4,0,y\n",
            "x.csv.metadata": "key: value\nname: small\n",
        },
        "arguments": ["--method", "relieff", "--set", "n_neighbors=1"],
    },
    {
        "files": {"x.tab": "a\tb\tc\nc\tc\td\n\t\tclass\n1\t2\tx\n2\t1\ty\n3\t3\tx\n4\t0\ty\n"},
        "arguments": ["--top", "2", "--json"],
    },
    {
        "files": {"x.arff": "@relation r\n@attribute a real\n@attribute c {x,y}\n@data\n1,x\n2,y\n3,x\n4,y\n"},
        "arguments": ["--task", "classification", "--seed", "1", "--set", "ramp=0.05,0.1"],
    },
)
